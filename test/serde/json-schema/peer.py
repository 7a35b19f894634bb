"""python3-jsonschema: reads [schema, values] pairs from standard input and answers which values are valid."""
import json, sys
from jsonschema import validators

answers = []
for schema, values in json.load(sys.stdin):
    validator = validators.validator_for(schema)(schema)
    answers.append([validator.is_valid(value) for value in values])
json.dump(answers, sys.stdout)
