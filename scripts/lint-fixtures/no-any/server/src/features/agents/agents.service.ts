// expect: typescript(no-explicit-any)
export const used: any = 1;
