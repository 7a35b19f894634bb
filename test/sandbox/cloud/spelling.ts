import { codes } from '../../../src/sandbox/cloud/http/api-error.ts';
import { isObject } from '../../../src/shape/object.ts';

/** How the API may spell what it answers: its documents and examples differ. */
export interface Spelling {
  readonly operationStates: 'prefixed' | 'bare';
  /** The form of `code` in an error body: its name, or the number that a stock gateway prints. */
  readonly errorCodes: 'name' | 'number';
  readonly timestamps: 'milliseconds' | 'seconds' | 'nanoseconds' | 'object' | 'null';
  /** Whether type URLs have a prefix before the message name. */
  readonly typeUrls: 'prefixed' | 'bare';
  /** Replacements for enum values, for example by values that no client knows yet. */
  readonly enums: Readonly<Record<string, string>>;
  /** Adds a query after the file name in artifact locations, as in pre-signed URLs. */
  readonly signedLocations: boolean;
}

/** The spelling of the simulator itself. */
export const usualSpelling: Spelling = {
  operationStates: 'prefixed',
  errorCodes: 'name',
  timestamps: 'milliseconds',
  typeUrls: 'prefixed',
  enums: {},
  signedLocations: false,
};

/** Returns a body of the simulator as the settings spell it. */
export function spell(body: unknown, spelling: Spelling): unknown {
  const { operationStates, errorCodes, timestamps, typeUrls, enums, signedLocations } = spelling;
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    if (isObject(value) && operationStates === 'bare' && 'started_at' in value)
      return { ...value, state: String(value.state).replace(/^STATE_/, '') };
    if (typeof value !== 'string') return value;
    if (key.endsWith('_at')) return spellTime(value, timestamps);
    if (key === '@type') return typeUrls === 'bare' ? value.slice(value.lastIndexOf('/') + 1) : value;
    if (key === 'code' && errorCodes === 'number') return Object.keys(codes).indexOf(value) + 1;
    if (key === 'location' && signedLocations && value.endsWith('.tar.gz'))
      return `${value}?X-Expires=900&X-Signature=0a1b2c3d`;
    return Object.hasOwn(enums, value) ? enums[value] : value;
  });
}

function spellTime(text: string, timestamps: Spelling['timestamps']): unknown {
  const epochMs = Date.parse(text);
  switch (timestamps) {
    case 'seconds':
      return text.replace(/\.\d+Z$/, 'Z');
    case 'nanoseconds':
      return text.replace(/Z$/, '000000Z');
    case 'object':
      return { seconds: Math.floor(epochMs / 1000), nanos: (epochMs % 1000) * 1_000_000 };
    case 'null':
      return null;
    default:
      return text;
  }
}

/** A way to falsify the artifacts of an install pack. */
export type ArtifactChange = 'sha-altered' | 'name-without-sha' | 'missing' | 'checksum-altered';

interface Artifact {
  readonly name: string;
  readonly location: string;
  readonly checksumSha256: string;
}

/** Returns an install pack whose artifacts, but not its manifest, are falsified. */
export function falsify(pack: unknown, change: ArtifactChange): unknown {
  const { artifacts, ...rest } = pack as { readonly artifacts: readonly Artifact[] };
  const isKept = ({ name }: Artifact) => name === 'manifest' || change !== 'missing';
  return {
    ...rest,
    artifacts: artifacts.filter(isKept).map((one) => (one.name === 'manifest' ? one : falsified(one, change))),
  };
}

function falsified(artifact: Artifact, change: ArtifactChange): Artifact {
  const [sha = ''] = artifact.location.split('.').slice(-3);
  const alterDigit = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
  switch (change) {
    case 'sha-altered':
      return { ...artifact, location: artifact.location.replace(`.${sha}.`, `.${alterDigit(sha)}.`) };
    case 'name-without-sha':
      return { ...artifact, location: artifact.location.replace(`.${sha}.`, '.') };
    case 'checksum-altered':
      return { ...artifact, checksumSha256: alterDigit(artifact.checksumSha256) };
    default:
      return artifact;
  }
}
