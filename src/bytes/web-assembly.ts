/** The used part of WebAssembly, which TypeScript declares only for browsers. */
interface WebAssemblyGlobal {
  readonly WebAssembly?: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
}

/** A number that a module exports. */
export interface Constant {
  readonly value: number;
}

/** The exports of each of weir's modules. */
export interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

/** A running module. All calls share its memory and copy their bytes in and out. */
export interface Machine<Exports extends ModuleExports> {
  readonly run: Exports;
  /** All of its memory; replaced when it grows. */
  memory: Buffer;
  /** A view over exactly the same bytes. */
  view: DataView;
}

const pageBytes = 1 << 16;

/**
 * Starts a module, without allocating memory yet.
 * @throws Error if there is no WebAssembly (`node --jitless`), or it lacks a feature of the module
 */
export function createMachine<Exports extends ModuleExports>(base64: string): Machine<Exports> {
  const { WebAssembly } = globalThis as unknown as WebAssemblyGlobal;
  if (WebAssembly === undefined) throw new Error('this Node.js runs without WebAssembly');
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  const run = new WebAssembly.Instance(module).exports as Exports;
  return { run, ...memoryOf(run) };
}

/** Grows the memory to that many bytes; returns false if there is not enough. Memory can never be released. */
export function growMemory<Exports extends ModuleExports>(machine: Machine<Exports>, bytes: number): boolean {
  const missing = bytes - machine.memory.length;
  if (missing <= 0) return true;
  try {
    machine.run.memory.grow(Math.ceil(missing / pageBytes));
  } catch {
    return false;
  }
  Object.assign(machine, memoryOf(machine.run));
  return true;
}

function memoryOf({ memory: { buffer } }: ModuleExports): { memory: Buffer; view: DataView } {
  return { memory: Buffer.from(buffer), view: new DataView(buffer) };
}
