/** The documents of the check besides the adapter's own. */

export const readDevelopmentPlan = `query DevelopmentPlan {
  shop { currencyCode plan { partnerDevelopment } }
}`;

export const searchPlanGroups = `query SearchPlanGroups($query: String) {
  sellingPlanGroups(first: 25, query: $query) { nodes { id } }
}`;
