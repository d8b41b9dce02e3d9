// expect: nothing
export const used = 1;
