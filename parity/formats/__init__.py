"""The files of Harbor's formats as pydantic models: names, types and defaults of their fields."""
