"""`python -m kubewright` is `kubewright`."""

import sys

from kubewright.cli.main import main

sys.exit(main())
