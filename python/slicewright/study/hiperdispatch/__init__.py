"""The HiperDispatch study: tiles of virtual servers over N-way, horizontal and vertical, and the effect of parking."""
