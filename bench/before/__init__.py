"""The built-in opponents of commit da23b97, as they were: what later ones are measured against.

Only their imports are of today; the rules that they ask are today's.
"""
