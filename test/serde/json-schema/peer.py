"""python3-jsonschema: reads cases from standard input and answers which values are valid."""
import fractions, json, sys
from urllib.parse import urljoin
from jsonschema import RefResolver, _validators, validators

# Its messages sort items, which need not have an order.
_validators.extras_msg = lambda extras: ("", "")


def number(text):
    """A number is exactly what is written, and an integer if it is one: doubles are neither."""
    exact = fractions.Fraction(text)
    return exact.numerator if exact.denominator == 1 else exact


def addressed(schema):
    """Python knows each draft by the address in one scheme only."""
    address = schema["$schema"].split("://")[1]
    return {**schema, "$schema": ("http://" if "/draft-0" in address else "https://") + address}


answers = []
for case in json.load(sys.stdin, parse_float=number):
    schema = addressed(case["schema"])
    cls = validators.validator_for(schema)
    base = cls.ID_OF(schema)
    store = {urljoin(base, name): addressed(document) for name, document in case["documents"]}
    # From 2019-09 on formats are notes for people.
    formats = cls.FORMAT_CHECKER if "/draft-0" in schema["$schema"] else None
    validator = cls(schema, resolver=RefResolver(base, schema, store=store), format_checker=formats)
    answers.append([validator.is_valid(value) for value in case["values"]])
json.dump(answers, sys.stdout)
