"""The models behind the features: encoders, cross-encoders, and files of weights."""
