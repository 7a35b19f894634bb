import { createFields, type FieldBytes, type ReadStep, type Run } from './parse-run.ts';

/** Creates a step that reads as many headers as `%H` gave, each with `steps`. */
export function headersStep(steps: readonly ReadStep[], constants: Readonly<Record<string, number>>): ReadStep {
  return (run) => {
    run.headerPause ??= {
      outer: { fields: run.fields, numbers: run.numbers },
      left: run.numbers.H ?? 0,
      step: 0,
    };
    const pause = run.headerPause;
    const { outer } = pause;
    while (pause.left > 0) {
      if (pause.step === 0) {
        run.fields = createFields();
        run.numbers = { ...constants };
      }
      while (pause.step < steps.length) {
        if (steps[pause.step]?.(run) !== true) return false;
        pause.step++;
      }
      const { key, value } = run.fields;
      run.headers.push({ key: copyOf(run, key), value: copyOf(run, value) });
      pause.left--;
      pause.step = 0;
    }
    run.fields = outer.fields;
    run.numbers = outer.numbers;
    run.headerPause = undefined;
    return true;
  };
}

function copyOf(run: Run, field: FieldBytes): Buffer {
  if (field.own !== undefined) return field.own;
  if (field.length <= 0) return Buffer.alloc(0);
  const start = run.base + field.start;
  return Buffer.from(run.bytes.subarray(start, start + field.length));
}
