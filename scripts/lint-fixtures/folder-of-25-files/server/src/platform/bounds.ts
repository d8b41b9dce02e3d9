// expect: atelier(folder-size), holds 26 files
// copies: 25
export const used = 1;
