"""One file a vendor of language models, named as in ``--model vendor:name``: nothing else has to know of it.

Each has ``VENDOR``, a :class:`~askgraph.models.vendor.Vendor`. Vendors' libraries are imported when a model is asked.
"""
