import type { Settings } from '../settings.ts';

/** Returns the body with times, type URLs and enum values spelled as the settings say. */
export function spell(body: unknown, settings: Settings): unknown {
  const { enums, timestamps, typeUrls } = settings;
  if (timestamps === 'milliseconds' && typeUrls === 'prefixed' && Object.keys(enums).length === 0) return body;
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key.endsWith('_at')) return spellTime(value, timestamps);
    if (key === '@type') return typeUrls === 'bare' ? value.slice(value.lastIndexOf('/') + 1) : value;
    return Object.hasOwn(enums, value) ? enums[value] : value;
  });
}

function spellTime(text: string, timestamps: Settings['timestamps']): unknown {
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
