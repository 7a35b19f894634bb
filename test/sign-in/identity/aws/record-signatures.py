# Records what the signers of AWS make of fixed credentials, times and regions, for signatures.test.ts:
#   pip install aws-msk-iam-sasl-signer-python && python3 test/sign-in/identity/aws/record-signatures.py > test/sign-in/identity/aws/signatures.json
# The list "messages" comes from AWS4SignedPayloadGenerator of aws-msk-iam-auth 2.3.6 for Java, whose clock cannot be set.
import base64
import datetime
import json
import os
from unittest import mock

import aws_msk_iam_sasl_signer.MSKAuthTokenProvider as signer
import botocore.auth
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
cases = [
    {"region": "eu-west-1", "now": 1767225599000, "token": None},
    {"region": "us-gov-west-1", "now": 1772323200000, "token": "IQoJb3JpZ2luX2VjE+/=~x!*()'"},
    {"region": "cn-north-1", "now": 1835350496000, "token": "short"},
]


def at(milliseconds):
    moment = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    given = lambda remove_tzinfo=True: moment.replace(tzinfo=None) if remove_tzinfo else moment
    return mock.patch.object(botocore.auth, "get_current_datetime", given)


def token_of(case):
    credentials = Credentials("AKIDEXAMPLE", secret, case["token"])
    with at(case["now"]):
        text, expires_at = getattr(signer, "__construct_auth_token")(case["region"], credentials)
    url = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    return {**case, "url": url, "expires_at": expires_at}


def headers_of(case):
    url = f"https://sts.{case['region']}.amazonaws.com/"
    body = "Version=2011-06-15&Action=GetCallerIdentity"
    content_type = "application/x-www-form-urlencoded; charset=utf-8"
    request = AWSRequest("POST", url, headers={"content-type": content_type}, data=body)
    with at(case["now"]):
        SigV4Auth(Credentials("AKIDEXAMPLE", secret, case["token"]), "sts", case["region"]).add_auth(request)
    return {**case, "url": url, "body": body, "authorization": request.headers["Authorization"]}


recorded = os.path.join(os.path.dirname(__file__), "signatures.json")
messages = json.load(open(recorded))["messages"] if os.path.exists(recorded) else []
tokens, headers = [token_of(case) for case in cases], [headers_of(case) for case in cases]
print(json.dumps({"tokens": tokens, "headers": headers, "messages": messages}, indent=2))
