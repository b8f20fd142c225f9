"""Python imports this by itself at start where its folder is on PYTHONPATH: so children of a test are guarded too."""

import network_guard

network_guard.start()
