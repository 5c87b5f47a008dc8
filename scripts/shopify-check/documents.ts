/** What the check asks besides the adapter's own documents. */

export const readDevelopmentPlan = `query DevelopmentPlan {
  shop { currencyCode plan { partnerDevelopment } }
}`;

export const searchPlanGroups = `query SearchPlanGroups($query: String) {
  sellingPlanGroups(first: 25, query: $query) { nodes { id } }
}`;
