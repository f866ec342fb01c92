"""`live io`: threads that read one file behind permits, with and without a limit on the reads of its device."""
