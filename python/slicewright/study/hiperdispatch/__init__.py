"""The HiperDispatch study: tiles of virtual servers over N-way, in horizontal and vertical mode, and the effect of parking."""
