// expect: atelier(import-direction), nothing imports upwards
export const fetchPage = () => import('./library.tsx');
