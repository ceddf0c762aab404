"""What time does at a table: reminders, pauses, vacations, and people who are gone."""
