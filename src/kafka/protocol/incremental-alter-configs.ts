import { type Api, adapted } from './api.ts';

/** What to do with a config, with the protocol's numbers. Append and subtract are for configs that hold a list. */
export const configOperations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;

/** One of `configOperations`. */
export type ConfigOperation = keyof typeof configOperations;

/** A change of one config; `value` is undefined when the config is deleted. */
export interface ConfigChange {
  readonly key: string;
  readonly operation: ConfigOperation;
  readonly value: string | undefined;
}

/** A resource and its changes: the broker makes all of them or none. */
export interface AlterConfigsResource {
  /** One of `resourceTypes`. */
  readonly type: number;
  /** A topic name, or a node id in digits. */
  readonly name: string;
  readonly changes: readonly ConfigChange[];
}

/** The resources to change. */
export interface IncrementalAlterConfigsRequest {
  readonly resources: readonly AlterConfigsResource[];
  readonly validateOnly: boolean;
}

/** The result for one resource. */
export interface AlteredResource {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly type: number;
  readonly name: string;
}

/** One entry per resource. */
export interface IncrementalAlterConfigsResponse {
  readonly resources: readonly AlteredResource[];
}

/** IncrementalAlterConfigs v0–1 (KIP-339). */
export const incrementalAlterConfigs: Api<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse> = adapted({
  name: 'IncrementalAlterConfigs',
  key: 44,
  min: 0,
  max: 1,
  flexibleFrom: 1,
  target: 'any',
  // A value that is appended twice is in the list once.
  repeatable: true,
  changes: true,
  encode(writer, request) {
    writer.array(request.resources, ({ type, name, changes }) => {
      writer.int8(type);
      writer.string(name);
      writer.array(changes, ({ key, operation, value }) => {
        writer.string(key);
        writer.int8(configOperations[operation]);
        writer.nullableString(value);
        writer.tags();
      });
      writer.tags();
    });
    writer.boolean(request.validateOnly);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const resources = reader.array(() => {
      const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
      const resource = { ...error, type: reader.int8(), name: reader.string() };
      reader.tags();
      return resource;
    });
    reader.tags();
    return { throttleMs, resources };
  },
});
