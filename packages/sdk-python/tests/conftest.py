"""Property tests fail on what they find, never on how long a busy machine takes."""

from hypothesis import settings

settings.register_profile("sinkwire", deadline=None)
settings.load_profile("sinkwire")
