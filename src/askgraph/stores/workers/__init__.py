"""Engines that cannot be stopped run in processes of their own, which can.

:mod:`.process` is the parent's side, :mod:`.serving` the child's, :mod:`.frames` what goes between them.
"""
