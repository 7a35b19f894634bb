import type { Property } from './property.ts';

/** The cluster properties of tiered storage. */
export const storageProperties: Readonly<Record<string, Property>> = {
  cloud_storage_access_key: {
    type: 'string',
    fallback: null,
    nullable: true,
    needsRestart: true,
    description: 'Access key for object storage.',
  },
  cloud_storage_bucket: {
    type: 'string',
    fallback: null,
    nullable: true,
    needsRestart: true,
    description: 'Bucket for objects of tiered storage.',
  },
  cloud_storage_cache_size: {
    type: 'integer',
    fallback: 20 * 2 ** 30,
    min: 0,
    units: 'bytes',
    description: 'Largest size of the cache of tiered storage.',
  },
  cloud_storage_credentials_source: {
    type: 'string',
    fallback: 'config_file',
    needsRestart: true,
    example: 'config_file',
    words: ['config_file', 'aws_instance_metadata', 'sts', 'gcp_instance_metadata'],
    description: 'Where the credentials for object storage come from.',
  },
  cloud_storage_enabled: {
    type: 'boolean',
    fallback: false,
    needsRestart: true,
    isLicensed: (value: unknown) => value === true,
    description: 'Whether tiered storage is enabled.',
  },
  cloud_storage_max_connections: {
    type: 'integer',
    fallback: 20,
    min: 1,
    max: 65_535,
    needsRestart: true,
    visibility: 'tunable',
    description: 'Largest number of connections to object storage per core.',
  },
  cloud_storage_region: {
    type: 'string',
    fallback: null,
    nullable: true,
    needsRestart: true,
    example: 'eu-central-1',
    description: 'Region of the bucket.',
  },
  cloud_storage_secret_key: {
    type: 'string',
    fallback: null,
    nullable: true,
    needsRestart: true,
    isSecret: true,
    description: 'Secret key for object storage.',
  },
};
