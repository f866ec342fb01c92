"""The study of installation exits: five published times of a million pairs of ENQ and DEQ, one per path of exits."""
