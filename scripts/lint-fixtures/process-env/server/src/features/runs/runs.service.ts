// expect: node(no-process-env)
export const key = process.env.OPENAI_API_KEY;
