"""The facts of a box that owners correct: described as a sheet, and written as the text of a link."""
