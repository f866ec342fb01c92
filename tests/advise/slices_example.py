"""What the examples of this folder start from: the starter scenario of two domains with its advice, and a page."""

from __future__ import annotations

from functools import cache

from slicewright._core import starter
from slicewright.advise.slices.answer import SliceAnswer, answer_scenario
from slicewright.advise.slices.request import SliceRequest

PAGE = b"""
                                  D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y
 made up, in the style of RMF   SYSTEM ID PEMDFI   DATE 11/20/1987   TIME 10.00.00   INTERVAL 15.00.000
TOTAL SAMPLES =    900   CYCLE 1.000 SECONDS

                      DEVICE  AVG  AVG  AVG  AVG  AVG
  DEV DEVICE VOLUME ACTIVITY RESP IOSQ PEND DISC CONN
  NUM TYPE   SERIAL     RATE TIME TIME TIME TIME TIME
 0C23 3390-3 C23       33.00   55   38    1   13    3
 08C2 3390-3 8C2       10.00   17    0    1   13    3
"""
"""Of a partition that made-up requests wait in: several of them for one volume, one for the other."""

PARTITIONS = b"""
                              P A R T I T I O N   D A T A   R E P O R T
 made up, in the style of RMF   SYSTEM ID SYSA   DATE 11/20/1987   TIME 10.00.00   INTERVAL 15.00.000

MVS PARTITION NAME                  PEMDFI
NUMBER OF CONFIGURED PARTITIONS     2
PHYSICAL PROCESSORS                 2
WAIT COMPLETION                     YES
DISPATCH INTERVAL                   30 ms

                     CAPPING  PROCESSOR  --- DISPATCH TIME DATA ---  LOGICAL PROCESSORS  --- PHYSICAL PROCESSORS ----
 NAME        S  WGT  DEF      NUM  TYPE     EFFECTIVE         TOTAL  EFFECTIVE    TOTAL  LPAR MGMT  EFFECTIVE   TOTAL
 PEMDFI      A   50  YES        2  CP    00.15.00.000  00.15.00.000      50.00    50.00       0.00      50.00   50.00
 PEMDFT      A   50  YES        2  CP    00.15.00.000  00.15.00.000      50.00    50.00       0.00      50.00   50.00
"""
"""The partitions that share the processors, as the system of the first partition prints them."""

CPU = b"""
                              C P U   A C T I V I T Y
 made up, in the style of RMF   SYSTEM ID PEMDFI   DATE 11/20/1987   TIME 10.00.00   INTERVAL 15.00.000

 ---- CPU ----  ------------- TIME % --------------  LOG PROC  I/O INTERRUPTS
 NUM      TYPE  ONLINE  LPAR BUSY  MVS BUSY  PARKED   SHARE %   RATE  % VIA TPI
 0        CP    100.00      50.00     40.00  ------     50.00  35.00       8.11
 1        CP    100.00      50.00     20.00  ------     50.00   8.00       3.38
"""
"""How busy the first of them was, as it saw itself."""


@cache
def advice() -> SliceAnswer:
    """The answer, simulated at full length."""
    return answer_scenario(starter("two-domains").encode(), "two-domains.toml", SliceRequest())
