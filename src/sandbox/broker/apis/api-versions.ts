import { since, struct, tagged } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, boolean, int16, int32, offset64, string } from '../wire/primitives.ts';

/** ApiVersions (key 18). */
export const apiVersions = layout({
  name: 'ApiVersions',
  key: 18,
  min: 0,
  max: 4,
  flexibleFrom: 3,
  request: { clientSoftwareName: since(3, string), clientSoftwareVersion: since(3, string) },
  response: {
    errorCode: int16,
    apiKeys: array(struct({ apiKey: int16, minVersion: int16, maxVersion: int16 })),
    throttleTimeMs: since(1, int32),
    supportedFeatures: tagged(0, 3, array(struct({ name: string, minVersion: int16, maxVersion: int16 }))),
    finalizedFeaturesEpoch: tagged(1, 3, offset64),
    finalizedFeatures: tagged(2, 3, array(struct({ name: string, maxVersionLevel: int16, minVersionLevel: int16 }))),
    zkMigrationReady: tagged(3, 3, boolean),
  },
});
