// expect: nothing
// copies: 24
export const used = 1;
