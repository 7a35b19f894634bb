import { api } from '../api.ts';
import { since, struct, tagged } from '../fields.ts';
import { array, boolean, int16, int32, int64, string } from '../primitives.ts';

/** ApiVersions (key 18). */
export const apiVersions = api({
  name: 'ApiVersions',
  key: 18,
  versions: [0, 4],
  flexibleFrom: 3,
  target: 'broker',
  repeatable: true,
  request: { clientSoftwareName: since(3, string), clientSoftwareVersion: since(3, string) },
  response: {
    errorCode: int16,
    apiKeys: array(struct({ apiKey: int16, minVersion: int16, maxVersion: int16 })),
    throttleTimeMs: since(1, int32),
    supportedFeatures: tagged(0, 3, array(struct({ name: string, minVersion: int16, maxVersion: int16 }))),
    finalizedFeaturesEpoch: tagged(1, 3, int64),
    finalizedFeatures: tagged(2, 3, array(struct({ name: string, maxVersionLevel: int16, minVersionLevel: int16 }))),
    zkMigrationReady: tagged(3, 3, boolean),
  },
});
