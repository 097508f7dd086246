"""Canonical forms: what may be written in several ways and means the same. One form a module, no type's own
facts.
"""
