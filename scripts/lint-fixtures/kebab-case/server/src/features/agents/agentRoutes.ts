// expect: unicorn(filename-case)
export const used = 1;
