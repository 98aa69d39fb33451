"""What a person can do, a function each, called by the API and by the pages."""
