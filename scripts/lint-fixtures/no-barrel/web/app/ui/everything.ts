// expect: oxc(no-barrel-file)
export * from './button.tsx';
