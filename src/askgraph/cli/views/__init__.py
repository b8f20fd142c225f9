"""How each result reads on a page: functions from data to lines."""
