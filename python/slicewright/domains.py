"""The former place of `slicewright.scenario.sharing`."""

from slicewright.scenario.sharing import PARAMETERS as PARAMETERS
from slicewright.scenario.sharing import Domain as Domain
from slicewright.scenario.sharing import Sharing as Sharing
from slicewright.scenario.sharing import parameter_slice_ms as parameter_slice_ms
from slicewright.scenario.sharing import sharing_of as sharing_of
from slicewright.scenario.sharing import volumes_by_partition as volumes_by_partition
