import type { JsonSchema } from '../../shape/shape.ts';
import { documentShape } from './document.ts';

/** The JSON Schema of the files, with which editors complete them. */
export function clusterFileSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:weir:cluster-file',
    title: 'Files that describe a cluster, for weir diff and weir apply',
    ...documentShape.schema(),
  };
}
