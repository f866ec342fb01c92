"""Disks as Linux's own tools report them: fio, iostat and btt."""
