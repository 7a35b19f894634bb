import { clone } from '@bufbuild/protobuf';
import * as wellKnown from '@bufbuild/protobuf/wkt';
import { readFile } from './language/file.ts';

type FileDescriptorProto = wellKnown.FileDescriptorProto;

/** Returns a file that schemas may import without a reference; undefined if there is none of that path. */
export function builtInFile(path: string): FileDescriptorProto | undefined {
  const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
  if (text !== undefined) return readFile(text, path, path);
  const proto = fromLibrary().get(path);
  return proto && clone(wellKnown.FileDescriptorProtoSchema, proto);
}

let library: ReadonlyMap<string, FileDescriptorProto> | undefined;

/** The files of google/protobuf/, which the library has as descriptors. */
function fromLibrary(): ReadonlyMap<string, FileDescriptorProto> {
  library ??= new Map(
    Object.values(wellKnown).flatMap((one) =>
      typeof one === 'object' && 'kind' in one && one.kind === 'file' ? [[one.proto.name, one.proto] as const] : [],
    ),
  );
  return library;
}

function googleType(name: string, body: string, imports: readonly string[] = []): readonly [string, string] {
  const lines = imports.map((path) => `import "google/protobuf/${path}.proto";`);
  return [`google/type/${name}.proto`, `syntax = "proto3"; package google.type; ${lines.join(' ')} ${body}`];
}

const days = 'MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY';
const months = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER';
const periods = 'DAY WEEK FORTNIGHT MONTH QUARTER HALF YEAR';

/** Declares the values of an enum, from 1. */
const numbered = (names: string) =>
  names
    .split(' ')
    .map((name, at) => `${name} = ${at + 1};`)
    .join(' ');

/** What a metadata option of Confluent may be attached to. */
const metaTargets = [
  ['FileOptions', 'file_meta'],
  ['MessageOptions', 'message_meta'],
  ['FieldOptions', 'field_meta'],
  ['EnumOptions', 'enum_meta'],
  ['EnumValueOptions', 'enum_value_meta'],
];

const confluentDecimal =
  'syntax = "proto3"; package confluent.type; message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }';

/** The common files besides those of google/protobuf/, reduced to what decides about the data. */
const texts: Readonly<Record<string, string>> = Object.fromEntries([
  googleType('date', 'message Date { int32 year = 1; int32 month = 2; int32 day = 3; }'),
  googleType(
    'datetime',
    `message DateTime { int32 year = 1; int32 month = 2; int32 day = 3; int32 hours = 4; int32 minutes = 5;
      int32 seconds = 6; int32 nanos = 7;
      oneof time_offset { google.protobuf.Duration utc_offset = 8; TimeZone time_zone = 9; } }
    message TimeZone { string id = 1; string version = 2; }`,
    ['duration'],
  ),
  googleType('dayofweek', `enum DayOfWeek { DAY_OF_WEEK_UNSPECIFIED = 0; ${numbered(days)} }`),
  googleType('month', `enum Month { MONTH_UNSPECIFIED = 0; ${numbered(months)} }`),
  googleType('calendar_period', `enum CalendarPeriod { CALENDAR_PERIOD_UNSPECIFIED = 0; ${numbered(periods)} }`),
  googleType('decimal', 'message Decimal { string value = 1; }'),
  googleType('money', 'message Money { string currency_code = 1; int64 units = 2; int32 nanos = 3; }'),
  googleType('latlng', 'message LatLng { double latitude = 1; double longitude = 2; }'),
  googleType(
    'timeofday',
    'message TimeOfDay { int32 hours = 1; int32 minutes = 2; int32 seconds = 3; int32 nanos = 4; }',
  ),
  googleType('fraction', 'message Fraction { int64 numerator = 1; int64 denominator = 2; }'),
  googleType('quaternion', 'message Quaternion { double x = 1; double y = 2; double z = 3; double w = 4; }'),
  googleType('localized_text', 'message LocalizedText { string text = 1; string language_code = 2; }'),
  googleType(
    'expr',
    'message Expr { string expression = 1; string title = 2; string description = 3; string location = 4; }',
  ),
  googleType(
    'interval',
    'message Interval { google.protobuf.Timestamp start_time = 1; google.protobuf.Timestamp end_time = 2; }',
    ['timestamp'],
  ),
  googleType(
    'color',
    'message Color { float red = 1; float green = 2; float blue = 3; google.protobuf.FloatValue alpha = 4; }',
    ['wrappers'],
  ),
  googleType(
    'phone_number',
    `message PhoneNumber { message ShortCode { string region_code = 1; string number = 2; }
      oneof kind { string e164_number = 1; ShortCode short_code = 2; } string extension = 3; }`,
  ),
  googleType(
    'postal_address',
    `message PostalAddress { int32 revision = 1; string region_code = 2; string language_code = 3;
      string postal_code = 4; string sorting_code = 5; string administrative_area = 6; string locality = 7;
      string sublocality = 8; repeated string address_lines = 9; repeated string recipients = 10;
      string organization = 11; }`,
  ),
  [
    'confluent/meta.proto',
    `syntax = "proto3"; package confluent; import "google/protobuf/descriptor.proto";
    message Meta { string doc = 1; map<string, string> params = 2; repeated string tags = 3; }
    ${metaTargets.map(([target, name]) => `extend google.protobuf.${target} { Meta ${name} = 1088; }`).join(' ')}`,
  ],
  ['confluent/type/decimal.proto', confluentDecimal],
  // An old path, which serializers have registered.
  ['confluent/types/decimal.proto', confluentDecimal],
  [
    'confluent/type/variant.proto',
    'syntax = "proto3"; package confluent.type; message Variant { bytes metadata = 1; bytes value = 2; }',
  ],
]);
