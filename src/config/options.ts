export type OptionKey = string;
export type OptionValue<K> = K extends string ? unknown : never;
