import { apiVersions } from '../../../kafka/protocol/wire/apis/api-versions.ts';
import { produce } from '../../../kafka/protocol/wire/apis/produce.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Settings } from '../settings.ts';
import { type Handler, handler } from './handler.ts';

/** ApiVersions: returns the versions of the given handlers. */
export function apiVersionsHandler(handlers: () => Iterable<Handler>): Handler {
  const answer = (
    errorCode: number,
    { missingApis: missing, newestVersions: newest, features }: ApiSettings = all,
  ) => ({
    errorCode,
    apiKeys: [...handlers()]
      .filter(({ layout }) => !missing.includes(layout.name))
      .map(({ layout, versions: [lowest, highest] }) => ({
        apiKey: layout.key,
        // Kafka 4 announces Produce from version 0 for old librdkafka (KAFKA-18659).
        minVersion: layout.key === produce.key ? 0 : lowest,
        maxVersion: Math.min(highest, newest[layout.name] ?? highest),
      }))
      .toSorted((a, b) => a.apiKey - b.apiKey),
    ...(features.length > 0 && {
      supportedFeatures: features.map((name) => ({ name, minVersion: 1, maxVersion: 1 })),
    }),
  });
  return handler(apiVersions, {
    // KIP-511 rejects client names and versions that are empty or contain unexpected characters.
    handle: ({ version, cluster }, request) =>
      answer(version >= 3 && !isNamed(request) ? codes.INVALID_REQUEST : codes.NONE, cluster.settings),
    refuse: (_request, code) => answer(code),
  });
}

type ApiSettings = Pick<Settings, 'missingApis' | 'newestVersions' | 'features'>;
const all: ApiSettings = { missingApis: [], newestVersions: {}, features: [] };

const form = /^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$/;

function isNamed(request: { readonly clientSoftwareName: string; readonly clientSoftwareVersion: string }): boolean {
  return form.test(request.clientSoftwareName) && form.test(request.clientSoftwareVersion);
}
