/** The look of a list of cards: as many columns as there is room for. */
export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 2xl:grid-cols-3';
