/** People of a life, whom a name may follow, as it may an animal. */
const RELATIONS = new Set(
  `sister brother mother father mum mom mama dad papa parents wife husband partner spouse fiance fiancee son daughter child kid baby twin
  twins cousin aunt uncle niece nephew grandmother grandfather grandma grandpa granny grandson granddaughter stepmother stepfather
  stepson stepdaughter grandchildren girls boys godson goddaughter friend girlfriend boyfriend neighbour neighbor boss manager colleague coworker teammate client
  customer plumber electrician doctor dentist therapist vet teacher tutor coach supervisor professor landlord landlady lawyer accountant
  flatmate roommate housemate assistant intern trainer mentor sisters brothers sons daughters children kids neighbours neighbors in-laws
  eldest oldest youngest firstborn other-half missus hubby mate mates buddy pal nan gran auntie godmother godfather ex
  mother-in-law father-in-law brother-in-law sister-in-law`.split(/\s+/),
);
const ANIMALS = new Set(
  'dog cat puppy kitten horse pony rabbit parrot hamster tortoise goldfish budgie guinea-pig pet cats dogs'.split(' '),
);
export const isAnimal = (word: string) => ANIMALS.has(word.toLowerCase());
export const isRelation = (word: string) => RELATIONS.has(word.toLowerCase()) || isAnimal(word);

/** “Mum”, without “my”. */
export const KIN = /^(?:mum|mom|mummy|dad|daddy|mama|papa|grandma|grandpa|granny|gran|nan|nana|grandad)$/i;
/** Those of a household whom people call “the”. */
export const HOUSEHOLD = /^the (?:twins|kids|children|baby|girls|boys|grandchildren|in-laws|dogs?|cats?|pets)\b/i;
