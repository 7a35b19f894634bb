/** A schema with every kind of field. */
export const everyType = `syntax = "proto3";
package p;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
/* a comment with "quotes" */
message M {
  option deprecated = true;
  reserved 100 to max; reserved "old";
  message In { int32 x = 1; E e = 2; }
  enum E { A = 0; B = 1; C = -5; }
  string name = 1;
  int32 n = 2;
  map<string, In> in_by_name = 3;
  repeated In list = 4;
  oneof choice { string a = 5; int64 b = 6; In c = 7; }
  repeated sint64 packed_ = 8;
  repeated int32 unpacked = 9 [packed = false];
  double d = 10;
  float f = 11;
  bytes by = 12;
  M self = 13;
  map<bool, int64> flags = 14;
  map<int64, E> numbers = 15;
  google.protobuf.Struct struct = 16;
  google.protobuf.Value any_value = 17;
  google.protobuf.ListValue list_value = 18;
  google.protobuf.Timestamp at = 19;
  google.protobuf.Duration took = 20;
  google.protobuf.Any any = 21;
  google.protobuf.FieldMask mask = 22;
  google.protobuf.Int64Value wrapped = 23;
  google.protobuf.BytesValue wrapped_bytes = 24;
  optional int32 maybe = 25 [json_name = "perhaps"];
  uint64 u64 = 26;
  uint32 u32 = 27;
  sint32 s32 = 28;
  fixed32 f32 = 29;
  fixed64 f64 = 30;
  sfixed32 sf32 = 31;
  sfixed64 sf64 = 32;
  bool yes = 33;
  E one = 34;
  repeated E some = 35;
  repeated string texts = 36;
  repeated double doubles = 37;
  map<uint32, bytes> blobs = 38;
}
service S { rpc Do(M) returns (M) { option idempotency_level = IDEMPOTENT; } }
`;

/** A schema with what only proto2 has: required fields, groups, closed enums, extensions, defaults. */
export const groupsAndMore = `package old;
message R {
  required int32 id = 1 [default = -0x10];
  repeated group Part = 2 { optional string s = 1 [default = "a\\"b"]; optional bytes raw = 2 [default = "\\377\\0x"]; }
  enum E { X = 5; Y = 6; Z = 6; option allow_alias = true; }
  optional E e = 3 [default = Y, deprecated = true];
  repeated E es = 4 [packed = true];
  optional double d = 5 [default = -inf];
  optional uint64 big = 6 [default = 18446744073709551615];
  optional R self = 7;
  map<int32, R.Part> parts_by_id = 8;
  extensions 100 to 199;
  message In { optional old.R.E e = 1; }
}
extend R { optional string note = 100; }
`;
