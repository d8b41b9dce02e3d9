/** `Record<string, …>`, also within Readonly, Partial or Required. */
function isStringRecord(type) {
  if (type?.type !== 'TSTypeReference') return false;
  const [first] = type.typeArguments?.params ?? [];
  return type.typeName.name === 'Record' ? first?.type === 'TSStringKeyword' : isStringRecord(first);
}

/** A plain object finds `constructor` and `__proto__` in every table, so a key from outside must not be looked up in one. */
const noStringTable = {
  create: (context) => ({
    VariableDeclarator(node) {
      if (!isStringRecord(node.id.typeAnnotation?.typeAnnotation) || node.init?.type !== 'ObjectExpression') return;
      context.report({
        node,
        message: 'Look up strings in a Map: a plain object also finds “constructor”. Or name the keys in the type.',
      });
    },
  }),
};

export default { meta: { name: 'atelier' }, rules: { 'no-string-table': noStringTable } };
