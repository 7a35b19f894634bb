"""Google's own implementation: reads one JSON request from standard input and answers it on standard output."""
import json, os, subprocess, sys, tempfile
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

request = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    for name, text in request["files"].items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)) or folder, exist_ok=True)
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    out = os.path.join(folder, "set")
    subprocess.run(["protoc", "-I", folder, "--include_imports", "--descriptor_set_out=" + out, *request["files"]], check=True)
    with open(out, "rb") as file:
        descriptors = descriptor_pb2.FileDescriptorSet.FromString(file.read())

pool = descriptor_pool.DescriptorPool()
for one in descriptors.file:
    pool.Add(one)
factory = message_factory.MessageFactory(pool)
answers = []
for case in request["cases"]:
    message = factory.GetPrototype(pool.FindMessageTypeByName(case["message"]))()
    try:
        if "json" in case:
            json_format.Parse(case["json"], message, descriptor_pool=pool)
            answers.append({"hex": message.SerializeToString(deterministic=True).hex()})
        else:
            message.MergeFromString(bytes.fromhex(case["hex"]))
            answers.append({"json": json_format.MessageToJson(message, indent=None, descriptor_pool=pool)})
    except Exception as error:
        answers.append({"error": str(error)})
own = {one.name: one.SerializeToString().hex() for one in descriptors.file if one.name in request["files"]}
json.dump({"answers": answers, "descriptors": own}, sys.stdout)
