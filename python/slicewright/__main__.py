"""`python -P -m slicewright`: the command line where its script is not on the path.

Without `-P` Python looks for modules in the current folder first.
"""

import sys

from slicewright.cli import main

if __name__ == "__main__":
    sys.exit(main())
