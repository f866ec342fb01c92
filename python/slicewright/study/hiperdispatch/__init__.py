"""The HiperDispatch study: tiles of virtual servers over N-way, in horizontal and vertical mode, and what parking does.

It leaves out what every study has: bands, cells, pages.
"""
