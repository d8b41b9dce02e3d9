// expect: typescript(ban-ts-comment)
// @ts-ignore
export const used: number = 'one';
